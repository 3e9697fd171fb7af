/** The queues that a process may work on: all unless WORK_QUEUES lists some. */
export const workQueues = ['generations', 'deliveries', 'files', 'maintenance'] as const

export type WorkQueue = (typeof workQueues)[number]
