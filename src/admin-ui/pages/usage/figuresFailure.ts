import { createContext } from 'react'

type FiguresFailure = { onShown(isShown: boolean): void; retryLimits(): void }

/** While the figures of the page show their error, the limits hide theirs and are loaded again together with the figures. */
export const FiguresFailureContext = createContext<FiguresFailure | undefined>(undefined)
