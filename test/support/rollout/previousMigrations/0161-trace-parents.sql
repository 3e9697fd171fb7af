-- Where a trace goes on: `traceparent` of the request that started a generation, and of whatever ended it and so made its deliveries. Null
-- where nothing was traced. Nothing is decided by it.
alter table generations add column trace_parent text;
alter table webhook_deliveries add column trace_parent text;
