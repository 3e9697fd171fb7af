/** What a fault does to users, what an operator does next, and the section of the runbook with the rest. */
export type Advice = { effect: string; next: string; runbook: string }

const runbook = (section: string) => `docs/runbook.md#${section}`

/** The advice for a fault of each check; a vendor's check is `vendor <id>`. Alerts name these checks: deploy/monitoring/alerts.yml. */
export const advice = {
  configuration: {
    effect: 'No process starts with these settings; running ones continue.',
    next: 'Correct the named variable and run doctor again.',
    runbook: runbook('atelierprocessdown'),
  },
  start: {
    effect: 'A process that starts now ends at once.',
    next: 'Correct what the line names: address and password of the database, STORAGE_URL, CATALOG_PATH.',
    runbook: runbook('atelierprocessdown'),
  },
  database: { effect: 'Processes of this release do not become ready.', next: 'atelier migrate', runbook: runbook('ateliererrors') },
  'database-away': {
    effect: 'Requests get 503, and work stops. Nothing is lost; processes continue by themselves when the database answers.',
    next: 'Start PostgreSQL, or correct the network, the proxy or the firewall between here and the named address.',
    runbook: runbook('atelierfiguresmissing'),
  },
  figures: {
    effect: 'Users notice nothing. Alerts about the whole deployment do not fire.',
    next: 'Search the log for "reading metrics of the deployment failed".',
    runbook: runbook('atelierfiguresmissing'),
  },
  partitions: {
    effect: 'Users notice nothing yet. Old data is not deleted with its month.',
    next: "Repeat select make_partitions('<table>') in psql until it returns nothing.",
    runbook: runbook('atelierpartitionsmissing'),
  },
  secrets: {
    effect: 'Webhooks are not signed, links to results do not open, and no process is ready.',
    next: 'Set SECRET_KEY to the new key and the former one, separated by a comma, and restart the processes. During a rotation of the key, wait up to ten minutes and run doctor again.',
    runbook: runbook('ateliersecretkeywrong'),
  },
  storage: {
    effect: 'Uploads are refused, results stay finalizing, downloads fail. Nothing is lost.',
    next: 'Check STORAGE_URL, its credentials, free space and the network.',
    runbook: runbook('atelierstoragefailing'),
  },
  books: {
    effect: 'The named accounts have too many or too few credits. Other accounts are not affected.',
    next: 'atelier backup --to <target>, correct nothing by hand, and call a developer.',
    runbook: runbook('atelierledgerdrift'),
  },
  processes: {
    effect: 'Without serve the API is down. Without work, starts stay queued and webhooks wait.',
    next: 'Start the missing one: atelier serve or atelier work. If it ends at once, its last line names the reason.',
    runbook: runbook('ateliernoworker'),
  },
  listening: {
    effect: 'Requests with wait and event streams get changes late, and changes of the catalog take effect late.',
    next: 'Set DATABASE_DIRECT_URL to PostgreSQL itself: a pooler in transaction mode does not forward notifications.',
    runbook: runbook('ateliernotlistening'),
  },
  'event-loop': {
    effect: 'All answers of the named process are late.',
    next: 'Add processes. If one is blocked without traffic, keep its log and restart it.',
    runbook: runbook('ateliereventloopblocked'),
  },
  memory: {
    effect: 'At the limit the kernel kills the process. Its open requests fail, and other processes take over its jobs.',
    next: 'Keep the log of the named process and restart it. If the memory rises with the load, raise the limit.',
    runbook: runbook('ateliermemoryhigh'),
  },
  statements: {
    effect: 'Answers that need the named statement are late.',
    next: 'Run ANALYZE in PostgreSQL, and look for a late vacuum or a full or slow disk.',
    runbook: runbook('atelierstatementsslow'),
  },
  queues: {
    effect: 'Work of the named queues waits; nothing is lost.',
    next: 'Start a worker without WORK_QUEUES, or with the named queues.',
    runbook: runbook('atelierqueuestalled'),
  },
  jobs: {
    effect: 'Generations stay queued or finalizing longer than usual.',
    next: 'Add workers (atelier work), and compare with the checks connections and storage.',
    runbook: runbook('atelierqueuestalled'),
  },
  generations: {
    effect: 'Their callers wait, and their credits are held until they end.',
    next: 'Check the vendor of the named state; callers may cancel queued generations.',
    runbook: runbook('ateliergenerationswaiting'),
  },
  families: {
    effect: 'Starts of the named families get 503 family_unavailable.',
    next: 'Check the vendors below. When they work again, call setFamilyAvailability with available: true.',
    runbook: runbook('atelierfamilylocked'),
  },
  deliveries: {
    effect: 'Receivers get webhooks late; nothing is lost.',
    next: 'Add workers of the queue deliveries.',
    runbook: runbook('atelierdeliverieslate'),
  },
  receivers: {
    effect: 'Failing receivers get webhooks late. After a day of failures they do not get them.',
    next: 'If many fail, check DNS, firewall and proxy of the workers. Otherwise inform the teams on the page Deliveries; redeliver sends again.',
    runbook: runbook('atelierdeliveriesfailing'),
  },
  'sign-ins': {
    effect: 'The named number of accounts and addresses wait before they may sign in again.',
    next: 'Block the addresses at the proxy, whose log has them.',
    runbook: runbook('ateliersigninspaused'),
  },
  maintenance: {
    effect: 'Old rows stay, and lost work is found late. Nothing is lost.',
    next: 'select * from routines; restart the process in holder.',
    runbook: runbook('ateliermaintenancestalled'),
  },
  connections: {
    effect: 'Requests wait for a connection, and new processes cannot start.',
    next: 'Lower DATABASE_POOL_MAX, raise max_connections of PostgreSQL, or use a pooler.',
    runbook: runbook('atelierconnectionsscarce'),
  },
  clock: {
    effect: 'Signatures of webhooks and of the storage may be refused.',
    next: 'Correct the time synchronisation: timedatectl and chronyc tracking show it.',
    runbook: runbook('atelierclockskewed'),
  },
  disk: {
    effect: 'A full disk stops the database and refuses uploads.',
    next: 'Free space or enlarge the disk; work then continues by itself.',
    runbook: runbook('atelierdiskfilling'),
  },
  certificate: {
    effect: 'After the end of the certificate, no client connects.',
    next: 'Renew it at the proxy.',
    runbook: runbook('ateliercertificateending'),
  },
  backups: {
    effect: 'Users notice nothing. Lost data may not be recoverable.',
    next: 'atelier backup --to <target>, or backup --verify --to <target>: it prints why it fails.',
    runbook: runbook('atelierbackupold'),
  },
  pooler: {
    effect: 'Requests get 503.',
    next: 'Check the pooler in DATABASE_URL.',
    runbook: runbook('ateliererrors'),
  },
  replica: {
    effect: 'Users notice nothing while the primary can also serve the lists.',
    next: 'select client_addr, state, replay_lag from pg_stat_replication on the primary.',
    runbook: runbook('atelierreplicaunused'),
  },
  objects: {
    effect: 'Links to the named results answer 404.',
    next: 'atelier doctor objects, then atelier restore --objects-only --from <target>',
    runbook: runbook('atelierstoragefailing'),
  },
  catalog: { effect: 'No family is offered.', next: 'Correct the named file in CATALOG_PATH.', runbook: runbook('atelierfamilylocked') },
  providers: {
    effect: 'Starts of the named models fail.',
    next: 'Set the variables of their vendor.',
    runbook: runbook('atelierproviderfailing'),
  },
  vendor: {
    effect: 'Work at this vendor fails or waits; callers pay nothing for it.',
    next: 'Renew its key or its budget, or check its status page.',
    runbook: runbook('atelierproviderfailing'),
  },
  'sign-in': {
    effect: 'People cannot sign in with OpenID Connect.',
    next: 'Check OIDC_ISSUER and the network to it.',
    runbook: runbook('ateliersigninspaused'),
  },
  groups: {
    effect: 'Sign-ins work. The groups of the people neither give nor take a role.',
    next: 'Make the issuer put the claim into the ID token, as a list, or correct OIDC_GROUPS_CLAIM.',
    runbook: runbook('groups-give-no-roles'),
  },
} as const satisfies Record<string, Advice>

export type CheckName = keyof typeof advice

/** The advice for a fault; undefined for a check without one. */
export function adviceFor(check: string): Advice | undefined {
  const name = check.startsWith('vendor ') ? 'vendor' : check
  return Object.hasOwn(advice, name) ? advice[name as CheckName] : undefined
}
