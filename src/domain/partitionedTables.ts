/** The tables that are partitioned by the time in an identifier, see migrations/functions/partitioned_tables.sql. */
export const partitionedTables = ['generations', 'generation_attempts', 'webhook_deliveries', 'webhook_attempts'] as const
