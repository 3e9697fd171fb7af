/** An amount in words. */
export function formatCredits(credits: number): string {
  return credits === 1 ? '1 credit' : `${credits} credits`
}
