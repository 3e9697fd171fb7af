-- Reads the table once, beside everybody's work.
alter table generations validate constraint in_first_partition;
