-- No query of any release uses this index, and it made each first claim of a generation write all indexes of its row.
drop index if exists generations_open;
