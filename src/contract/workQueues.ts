/** The kinds of work that a process may take, all unless WORK_QUEUES names some. */
export const workQueues = ['generations', 'deliveries', 'files', 'maintenance'] as const

export type WorkQueue = (typeof workQueues)[number]
