-- The comments of 0001-baseline.sql, for databases that are older than it.
comment on table users is 'People who can sign in or act for a team.';
comment on column users.password_hash is 'null for a person who signs in through an identity provider only';
comment on column users.deleted_at is 'the row stays for the ledger and the history, without personal data';
comment on column users.forgotten_to is 'the last generation from which personal data was removed after the deletion';
comment on column users.forgotten_at is 'when all personal data had been removed';
comment on table teams is 'Groups of people that share keys, credits, files and history.';
comment on column teams.external_access is 'whether API keys and agents may act for the team';
comment on column teams.deleted_at is 'the row stays for the ledger, without the data of the team';
comment on column teams.forgotten_to is 'the last generation that was removed after the deletion of the team';
comment on column teams.forgotten_at is 'when all data of the team had been removed';
comment on table memberships is 'Which person belongs to which team, and with which role.';
comment on schema auth is 'Sessions and sign-in; the tables of people are in public.';
comment on table auth.sessions is 'Signed-in browsers, one row for each session cookie.';
comment on column auth.sessions.digest is 'SHA-256 of the secret in the cookie; the secret is not stored';
comment on table auth.identities is 'Accounts of people at OpenID Connect providers.';
comment on table auth.pending_sign_ins is 'Sign-ins at an OpenID Connect provider that have not returned yet.';
comment on column auth.pending_sign_ins.state is 'hash of the OAuth state parameter';
comment on table auth.sign_in_counts is 'Leaky-bucket counters that limit password attempts by account, by address and by both.';
comment on column auth.sign_in_counts.subject is
  'names an account by a hash of the typed e-mail address, whether the account exists or not';
comment on column auth.sign_in_counts.counted_at is 'the time from which attempts leak out of the bucket';
comment on column auth.sign_in_counts.next_at is 'attempts before this time are refused';
comment on table credit_accounts is 'The credits of a team, or of a person without a team.';
comment on column credit_accounts.balance is 'hundredths of a credit, including those that are held';
comment on column credit_accounts.held is 'hundredths of a credit reserved for open generations';
comment on table ledger_transactions is 'Append-only ledger: every change of an account, one row each.';
comment on column ledger_transactions.idempotency_key is 'set for a grant only; another grant with the same key changes nothing';
comment on table ledger_entries is 'The two sides of each ledger transaction, which sum to zero.';
comment on column ledger_entries.credits is 'hundredths of a credit; negative when the bucket loses them';
comment on table ledger_recounts is 'How far the ledger of each account was recounted, so that a recount reads new entries only.';
comment on column ledger_recounts.through_id is 'the last ledger transaction that was counted';
comment on column ledger_recounts.drift is 'hundredths of a credit by which the account differed from its ledger at recounted_at';
comment on table api_keys is 'Keys of programs and agents, with their spending limits.';
comment on column api_keys.team_id is 'null for a key of a person without a team';
comment on column api_keys.user_id is 'the person who issued the key, for whom it acts';
comment on column api_keys.prefix is 'the visible start of the key value';
comment on column api_keys.hash is 'SHA-256 of the key value; the value is not stored';
comment on column api_keys.value_holder_id is 'the person who got the present value; null when that is the issuer or an internal tool';
comment on column api_keys.previous_hash is 'SHA-256 of the value before the last rotation, valid until previous_until';
comment on column api_keys.previous_holder_id is
  'the person who got the previous value, which may have expired; null as for value_holder_id';
comment on column api_keys.daily_limit is 'hundredths of a credit for each day in UTC; null for no limit';
comment on column api_keys.single_limit is 'hundredths of a credit for each generation; null for no limit';
comment on column api_keys.confirm_above is 'price in hundredths of a credit above which an agent asks a person; null for never';
comment on column api_keys.held_open is 'hundredths of a credit held for open generations of this key';
comment on column api_keys.charged_on_day is 'hundredths of a credit charged on charged_day';
comment on table usage_days is
  'Number of ended generations for each day in UTC, key and model family. The end of a generation updates the row.';
comment on column usage_days.charged is 'hundredths of a credit';
comment on table request_counts is 'Rate limits and concurrency slots; a crash of the database resets them.';
comment on column request_counts.subject is 'a user with all their keys, a user with all their sessions, or a client address';
comment on column request_counts.window_start is 'the minute that is counted, in minutes since 1970';
comment on column request_counts.in_progress is 'number of requests in progress, by process';
comment on table family_overrides is 'Model families that the operator switched on or off for everybody.';
comment on table team_families is 'Model families that a team disabled for itself, or that the operator granted to it.';
comment on column team_families.granted is 'the team may use this restricted family';
comment on table breakers is 'Circuit breakers of model families and vendors, which open after failures in a row.';
comment on column breakers.subject is 'family:<id>, or vendor:<provider> when the account at the vendor is at fault';
comment on column breakers.faults is 'failures in a row; 0 while the breaker is open';
comment on column breakers.faulted is 'distinct digests (request_digest) of the requests that failed since the last success';
comment on column breakers.failed_by is 'digest of the owner of the last failed trial; other owners get the next trial';
comment on column breakers.since is 'when the breaker last closed; results of earlier attempts are ignored';
comment on column breakers.locked_until is 'set while the breaker is open; after this time one trial at a time passes';
comment on column breakers.trial_by is 'the generation that runs as the trial; another may after trial_until';
comment on column breakers.opened is 'how often the breaker opened, failed trials included';
comment on table idempotency_records is 'Answers to starts with an idempotency key, for repeated requests.';
comment on column idempotency_records.scope is 'the owner of the generation, or quote:<holder> for a start with a quote';
comment on column idempotency_records.fingerprint is 'hash of the request; a different request with the same key is refused';
comment on table quotes is 'Prices quoted to agents, each valid for one start.';
comment on column quotes.holder_id is 'the API key that requested the quote; for an internal tool the owner of the generations';
comment on column quotes.price is 'hundredths of a credit';
comment on table open_work is 'Number of open generations of each owner in each family, to refuse starts above the limit.';
comment on column open_work.open is 'excludes generations without an account, which the editor settles itself';
comment on table waiting_starts is
  'Start queues: generations without an attempt, one queue for each owner and family, so that owners take turns.';
comment on column waiting_starts.rank is 'place among the starts of the queue that have a job, 1 for the head; null without a job';
comment on column waiting_starts.head_at is 'when the generation became the head of its queue';
comment on table owner_turns is
  'When the last start of a queue was taken. The next start of its owner goes first, unless a head is older than this.';
comment on table generations is 'Requests to make media with a model, and their results.';
comment on column generations.owner_id is 'the team whose history lists the generation, or a person without a team';
comment on column generations.account_id is 'null for work that the editor settles itself';
comment on column generations.fallback_model_id is 'the model that took over because model_id had no capacity';
comment on column generations.axes is 'options that select a variant of the model, such as size';
comment on column generations.reference is 'set by the caller, to find the generation again';
comment on column generations.price is 'hundredths of a credit';
comment on column generations.credits_charged is 'hundredths of a credit; null until the end';
comment on column generations.fence is 'fencing token: each job that takes over increments it, and writes with an older token are refused';
comment on column generations.attempt is 'number of the current row in generation_attempts';
comment on column generations.progress is 'from 0 to 1, as the vendor reports it';
comment on column generations.queue_position is 'as the vendor reports it';
comment on column generations.trace_parent is 'W3C traceparent of the request that started the generation; null without tracing';
comment on column generations.deadline_at is
  'null while the generation waits for vendor capacity; then generation_attempts.time_left is set';
comment on table generation_attempts is
  'Attempts to make a generation at a vendor, one row for each vendor request that is meant to create work.';
comment on column generation_attempts.idempotency_key is 'sent to the vendor; derived from the primary key, which makes it unique';
comment on column generation_attempts.intent_at is
  'written before the request to the vendor. While handle is null, the vendor may or may not have the work';
comment on column generation_attempts.asked_by is 'the process that sends the request to the vendor, with the fencing token asked_fence';
comment on column generation_attempts.answer_until is
  'until this time no other job takes over; null after the answer, and for vendors that recognise repeats';
comment on column generation_attempts.handle is 'identifies the work at the vendor';
comment on column generation_attempts.outputs is 'where the results are at the vendor';
comment on column generation_attempts.gathered_fence is 'the fencing token of the job that wrote the outputs';
comment on column generation_attempts.jobs_begun is 'jobs of the current step that began and did not end';
comment on column generation_attempts.tries is 'retries of the current step';
comment on column generation_attempts.time_left is 'time until the deadline when the work began to wait for vendor capacity';
comment on column generation_attempts.cost_usd is 'cost for the operator, in US dollars; null when it is unknown';
comment on column generation_attempts.cost_quantity is 'quantity that the vendor counted, in cost_unit';
comment on table inputs_in_use is 'Files and results that open generations use as inputs, which therefore cannot be deleted.';
comment on column inputs_in_use.input_id is 'a file, or a generation whose result is the input';
comment on table result_links is 'Which results each key has links to; the links themselves are sealed and not stored.';
comment on column result_links.until is 'when the newest link expires';
comment on table vendor_slots is
  'Concurrency slots of limited vendors, each held by one generation; released slots count for the rate of the last minute.';
comment on column vendor_slots.asked is
  'a request was sent with this slot; another request takes another slot, so that the rate counts each request';
comment on table waiting_submits is 'Generations that wait for a vendor slot. They have no job.';
comment on table files is 'Uploaded files, which generations use as inputs.';
comment on column files.declared_mime_type is 'as the client sent it; mime_type is the result of the inspection';
comment on column files.storage_key is 'key of the object in the storage';
comment on column files.used is 'an open generation uses the file, or served is true';
comment on column files.served is 'the file was an input of a generation that succeeded or was charged';
comment on table unused_files is 'Number and size of the files of each owner that no generation has used, to limit uploads.';
comment on table stuck_removals is 'Objects of deleted rows whose removal failed several times in the storage.';
comment on table webhook_subscriptions is 'Addresses that receive events of a team.';
comment on column webhook_subscriptions.secret is 'signing secret, sealed; removed with the subscription, whose log stays';
comment on column webhook_subscriptions.secret_holder_id is 'the person who got the present secret; null for an internal tool';
comment on column webhook_subscriptions.older_secret is
  'previous secret, sealed; until older_secret_until, deliveries have a signature with each secret';
comment on column webhook_subscriptions.confirmed_at is
  'when the receiver first accepted a delivery; until then deliveries to its origin are rate limited';
comment on table webhook_deliveries is 'Events to deliver to a subscription, and the log of all deliveries that have ended.';
comment on column webhook_deliveries.body_id is 'the row of webhook_bodies that has the body; null when body has it';
comment on column webhook_deliveries.trace_parent is
  'W3C traceparent of the job or request that ended the generation; null without tracing';
comment on column webhook_deliveries.retries_left is 'null when no attempt will follow';
comment on column webhook_deliveries.attempt_begun_at is 'set while an attempt is in flight, and after a process crashed during one';
comment on column webhook_deliveries.response_code is 'of the latest attempt, like refusal and response_start';
comment on table webhook_attempts is 'Every HTTP request that was made for a delivery.';
comment on column webhook_attempts.refusal is 'why there is no response';
comment on column webhook_attempts.response_start is 'the first bytes of the response body';
comment on table webhook_bodies is 'Bodies that several deliveries of one event share; they differ by their identifier only.';
comment on column webhook_bodies.id is
  'identifier of the first delivery, which the body contains; other deliveries send their own in its place';
comment on table webhook_hours is 'Successful and failed attempts of each subscription by the hour.';
comment on column webhook_hours.failed is 'excludes attempts that this service interrupted';
comment on table retired_partitions is 'Detached partitions with expired rows; a row stays after its table was dropped.';
comment on column retired_partitions.swept_to is 'objects of results up to this generation are queued for removal';
comment on table team_retention is 'How long a team keeps results and generations, when that is shorter than the deployment keeps them.';
comment on column team_retention.media_days is 'null: results stay as long as their generation';
comment on column team_retention.history_days is 'null: generations stay as long as the deployment keeps them';
comment on column team_retention.results_to is 'results of generations up to this one are deleted, or listed in postponed_results';
comment on column team_retention.searched_to is
  'the last generation below results_to that the search for missed results read; a clock that was behind causes them';
comment on column team_retention.served_at is 'when retention last worked on this team; teams take turns';
comment on table postponed_results is 'Expired results that an open generation still needed. Their deletion is retried.';
comment on table postponed_deletions is 'Rows of deleted teams and people that could not be deleted yet. Their deletion is retried.';
comment on table audit_entries is 'Append-only log of administrative acts; it holds no secrets, names or e-mail addresses.';
comment on column audit_entries.team_id is 'null for acts on people, and on families for everybody';
comment on column audit_entries.tool is 'the name that an internal tool sends in its request';
comment on column audit_entries.before is 'the changed settings before the act; null when there were none';
comment on column audit_entries.after is 'the changed settings after the act; null when none are left';
comment on table processes is 'Running processes of the service, by their heartbeat.';
comment on column processes.worker_pool_ids is 'the names under which the worker pools of this process lock jobs';
comment on column processes.queues is 'the work queues from which this process takes jobs';
comment on table buried_processes is 'Processes without a heartbeat, removed from the table processes. Other processes run their jobs.';
comment on column buried_processes.answers_until is 'until this time the process may still record answers of vendors';
comment on table routines is 'Maintenance routines; a process claims one here before it runs it.';
comment on column routines.added_at is 'the age of a routine counts from here until it first succeeds';
comment on column routines.ended_at is 'the end of the last run that succeeded';
comment on column routines.holder is 'the process that runs it; null between runs';
comment on table clock_watch is
  'One row, made by watch_clock(): the observed times of the database clock. After a jump ahead, maintenance deletes nothing.';
comment on column clock_watch.trusted_at is 'the latest time of the database clock that was trusted';
comment on column clock_watch.seen_at is 'the latest time of the database clock that was read';
comment on column clock_watch.steady is 'time for which the clock was observed to run steadily since it jumped';
comment on table backups is 'Finished backups, and the running one, during which nothing is removed from the storage.';
comment on column backups.started_at is 'the backup holds the data of this time';
comment on column backups.held_until is 'removals from the storage continue after this time, even if the backup has not finished';
comment on column backups.missing is 'objects that could not be copied: deleted during the backup, or lost before';
comment on table secret_canary is 'One row sealed with SECRET_KEY. A process whose SECRET_KEY cannot open it does not start.';
