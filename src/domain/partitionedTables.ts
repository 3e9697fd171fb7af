/**
 * The tables that are partitioned by the time in an identifier, see migrations/functions/partitioned_tables.sql. A backup knows the
 * names of their partitions as well (database/snapshot.ts); a test holds the three together.
 */
export const partitionedTables = ['generations', 'generation_attempts', 'webhook_deliveries', 'webhook_attempts'] as const
