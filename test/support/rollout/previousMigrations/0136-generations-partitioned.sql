-- By month. Rows may go again where somebody says so on purpose: `set local atelier.retention = 'on'`.
select make_first_partition('generations', 'id', 'fillfactor = 70');
drop trigger never_deleted on generations;
create trigger never_deleted before delete on generations for each statement
  when (current_setting('atelier.retention', true) is distinct from 'on') execute function refuse_deletion();
create trigger never_truncated before truncate on generations for each statement execute function refuse_deletion();
