/**
 * Runs a step that changes at most `batchRows` rows again and again, one batch after the other, until a batch is not full. Returns how many
 * rows were changed. Rejects when a batch does; the batches before it stay.
 */
export async function runInBatches(batchRows: number, runBatch: () => Promise<number>): Promise<number> {
  for (let changed = 0; ; ) {
    const count = await runBatch()
    changed += count
    if (count < batchRows) return changed
  }
}
