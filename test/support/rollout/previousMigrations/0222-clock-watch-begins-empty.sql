-- watch_clock() adds the row when it is first called: also after a restore, which finds the rows of the ledger only then.
delete from clock_watch;
