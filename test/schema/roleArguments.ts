/** Required arguments of fields. */
export const argumentsOf: Record<string, string> = {
  'Team.generationNeighbours': '(id: "READY")',
  'Team.inputFiles': '(ids: ["FILE"])',
  'Team.generationDeliveries': '(id: "READY")',
  'Team.personRuns': '(userId: "USER")',
  'Team.keysOfFamily': '(familyId: "sandbox-image")',
  'Team.member': '(userId: "USER")',
  'Team.generation': '(id: "READY")',
  'Team.usage': '(from: "2026-01-01T00:00:00Z", to: "2026-04-01T00:00:00Z", by: DAY)',
  'Team.dailyUsage': '(from: "2026-01-01T00:00:00Z", to: "2026-04-01T00:00:00Z", familyId: "sandbox-image")',
  'Team.usageByDay': '(from: "2026-01-01T00:00:00Z", to: "2026-04-01T00:00:00Z", by: FAMILY)',
}
