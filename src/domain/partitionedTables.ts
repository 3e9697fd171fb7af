/**
 * The tables partitioned by the time in their identifiers, see migrations/functions/partitioned_tables.sql. Backups also list them
 * (database/snapshot.ts); a test compares the three places.
 */
export const partitionedTables = ['generations', 'generation_attempts', 'webhook_deliveries', 'webhook_attempts'] as const
