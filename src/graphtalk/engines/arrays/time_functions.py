"""The functions of dates, times and durations, by their names in lower case."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from typing import NoReturn

from graphtalk.core import ToolError
from graphtalk.engines.arrays import temporal
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.function import Function, text_argument
from graphtalk.engines.arrays.rows import Scalar
from graphtalk.engines.arrays.scalars import describe, said
from graphtalk.engines.arrays.temporal import Duration


def _made(
    name: str, of_text: Callable[[str], Scalar], of_map: Callable[..., Scalar], alike: Callable[..., Scalar]
) -> Function:
    """A function that makes a date or a time of text, of a map or of another date."""

    def made(*given: Scalar) -> Scalar:
        frame = given[-1]
        assert isinstance(frame, Frame)
        if len(given) == 1:
            _no_present(name)
        value = given[0]
        try:
            if isinstance(value, str):
                return of_text(value)
            if isinstance(value, dict):
                return of_map(value)
            if isinstance(value, date | time):
                return alike(value)
        except (ValueError, OverflowError, AttributeError, TypeError) as e:
            raise ToolError(f"{name}() cannot read {describe(value, frame)}: {e}.") from e
        raise ToolError(f"{name}() cannot take {describe(value, frame)}.")

    return Function(made, 0, 1)


def _no_present(name: str) -> NoReturn:
    raise ToolError(
        f"{name}() without a value is the present, and an answer must come out the same again. "
        f"Write the day, such as date('2024-05-31'), or a parameter."
    )


def _timestamp(frame: Frame) -> Scalar:
    _no_present("timestamp")


def _date(value: date) -> date:
    return date(value.year, value.month, value.day)


def _datetime(value: date) -> datetime:
    at = temporal.moment(value)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _local(value: date) -> datetime:
    return temporal.moment(value).replace(tzinfo=None)


def _time(value: datetime | time) -> time:
    clock = value.timetz() if isinstance(value, datetime) else value
    return clock if clock.tzinfo else clock.replace(tzinfo=UTC)


def _local_time(value: datetime | time) -> time:
    return (value.timetz() if isinstance(value, datetime) else value).replace(tzinfo=None)


def _duration(value: Scalar, frame: Frame) -> Scalar:
    if isinstance(value, Duration):
        return value
    if isinstance(value, dict):
        return temporal.duration_of(value)
    try:
        return temporal.read_duration(text_argument(value, "duration", frame))
    except ValueError as e:
        raise ToolError(
            f"duration() cannot read {describe(value, frame)}: write {{days: 3}} or 'P3D'."
        ) from e


def _moment(value: Scalar, doing: str, frame: Frame) -> date | time:
    """A date or a time, or what text says as one."""
    if isinstance(value, str):
        read = next((said(value, k) for k in ("date", "time") if said(value, k) is not None), None)
        if isinstance(read, date | time):
            frame.remark("Text that says a date was taken as a date.")
            return read
    if not isinstance(value, date | time):
        raise ToolError(f"{doing}() needs a date or a time, not {describe(value, frame)}.")
    return value


def _between(name: str, apply: Callable[[date | time, date | time], Duration]) -> Function:
    def applied(start: Scalar, end: Scalar, frame: Frame) -> Scalar:
        return apply(_moment(start, name, frame), _moment(end, name, frame))

    return Function(applied, 2, 2)


def _truncated(name: str, shape: Callable[[datetime], Scalar]) -> Function:
    def truncated(unit: Scalar, value: Scalar, frame: Frame) -> Scalar:
        at = _moment(value, name, frame)
        if isinstance(at, time):
            raise ToolError(f"{name}() needs a date, not {describe(value, frame)}.")
        return shape(temporal.truncate(text_argument(unit, name, frame), at))

    return Function(truncated, 2, 2)


TIME_FUNCTIONS: Mapping[str, Function] = {
    "date": _made("date", lambda t: _date(temporal.read_datetime(t)), temporal.date_of, _date),
    "datetime": _made(
        "datetime",
        lambda t: _datetime(temporal.read_datetime(t)),
        lambda m: temporal.datetime_of(m, True),
        _datetime,
    ),
    "localdatetime": _made(
        "localdatetime",
        lambda t: _local(temporal.read_datetime(t)),
        lambda m: temporal.datetime_of(m, False),
        _local,
    ),
    "time": _made("time", lambda t: _time(temporal.read_time(t)), lambda m: temporal.time_of(m, True), _time),
    "localtime": _made(
        "localtime",
        lambda t: _local_time(temporal.read_time(t)),
        lambda m: temporal.time_of(m, False),
        _local_time,
    ),
    "timestamp": Function(_timestamp, 0, 0),
    "duration": Function(_duration),
    "duration.between": _between("duration.between", temporal.between),
    "duration.inmonths": _between("duration.inMonths", temporal.in_months),
    "duration.indays": _between("duration.inDays", temporal.in_days),
    "duration.inseconds": _between("duration.inSeconds", temporal.in_seconds),
    "date.truncate": _truncated("date.truncate", lambda at: _date(at)),
    "datetime.truncate": _truncated("datetime.truncate", lambda at: _datetime(at)),
    "localdatetime.truncate": _truncated("localdatetime.truncate", lambda at: _local(at)),
}
