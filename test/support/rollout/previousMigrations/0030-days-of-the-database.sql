-- Days come from the database's clock now (functions/present.sql). A process whose own was ahead has pinned the days of keys:
-- their counters belong to no day that has come, and the ceiling counted nothing until then.
update api_keys set charged_day = '-infinity', charged_on_day = 0 where charged_day > (now() at time zone 'UTC')::date + 1;
