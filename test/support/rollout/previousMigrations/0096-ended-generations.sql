-- What ended in a month, for what its vendors said that it cost.
create index generations_ended on generations (finished_at) where finished_at is not null;
