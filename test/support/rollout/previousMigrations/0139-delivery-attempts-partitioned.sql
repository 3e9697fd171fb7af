select make_first_partition('webhook_attempts', 'delivery_id', 'fillfactor = 100');
drop function make_first_partition(text, text, text);
