// Places by forces, worked out beside the page so that it never stands still.

import { settle, type LayoutRequest, type Places } from "./simulation";

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  let last: Places | null = null;
  for (const places of settle(data)) {
    if (last) self.postMessage({ ...last, done: false });
    last = places;
  }
  self.postMessage({ ...last, done: true });
};
