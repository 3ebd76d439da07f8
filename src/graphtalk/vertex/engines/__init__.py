"""The engines: in memory by arrays or by objects, and as SQL on DuckDB and Spark."""
