/**
 * Repeats a step that changes at most `batchRows` rows until a batch is not full. Returns how many rows changed. Rejects when a batch
 * rejects; earlier batches stay committed.
 */
export async function runInBatches(batchRows: number, runBatch: () => Promise<number>): Promise<number> {
  for (let changed = 0; ; ) {
    const count = await runBatch()
    changed += count
    if (count < batchRows) return changed
  }
}
