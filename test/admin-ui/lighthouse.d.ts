/** What the test uses of the package, whose own declarations need those of several other packages. */
declare module 'lighthouse' {
  export type Report = {
    categories: Record<string, { score: number | null; auditRefs: { id: string }[] }>
    audits: Record<string, { score: number | null; numericValue?: number; details?: { items?: { url?: string }[] } }>
    environment: { benchmarkIndex: number }
    runtimeError?: { message: string }
  }
  type Flags = { port: number; onlyCategories: string[]; extraHeaders: Record<string, string>; logLevel: 'silent' }
  export default function lighthouse(url: string, flags: Flags, config: object | undefined): Promise<{ lhr: Report } | undefined>
  export const desktopConfig: object
}
