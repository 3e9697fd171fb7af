-- Whether a file was an input of a result, or of work that was paid for. What was used until now counts as that.
alter table files add column served boolean not null default false;
update files set served = true where used;

-- Its text is in functions/.
create function count_returned_file() returns trigger language plpgsql as 'begin return null; end';
create trigger count_returned_file after update of used on files for each row
  when (old.used and not new.used and new.state <> 'failed') execute function count_returned_file();
