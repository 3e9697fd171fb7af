type Answer = { data?: Record<string, Record<string, unknown>>; errors?: unknown }

/** Creates a team with an owner, credits and a key, generates an image with the key, and returns its size in bytes. */
export async function madeImage(origin: string, serviceToken: string): Promise<number> {
  const ask = async (query: string, input: object) => {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${serviceToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables: { input } }),
    })
    const { data, errors } = (await response.json()) as Answer
    const [found] = Object.values(data ?? {})
    if (errors !== undefined || found === undefined) throw new Error(`${query}: ${JSON.stringify(errors)}`)
    return found
  }
  const team = await ask('mutation ($input: CreateTeamInput!) { createTeam(input: $input) { id } }', { name: 'Studio' })
  const teamId = team['id']
  await ask('mutation ($input: GrantCreditsInput!) { grantCredits(input: $input) { creditsAvailable } }', {
    teamId,
    credits: 100,
    note: 'test',
    idempotencyKey: 'test',
  })
  const owner = await ask('mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }', {
    email: 'ada@example.com',
    name: 'Ada',
    subscriptionActive: true,
  })
  const member = { teamId, userId: owner['id'], role: 'OWNER' }
  await ask('mutation ($input: SetTeamMemberInput!) { setTeamMember(input: $input) { role } }', member)
  const key = await ask('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { value } }', {
    teamId,
    name: 'test',
    scopes: ['GENERATIONS_WRITE', 'GENERATIONS_READ'],
  })
  const made = await fetch(`${origin}/api/v1/generations?wait=60`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key['value']}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'test' },
    body: JSON.stringify({ familyId: 'sandbox-image', prompt: 'A lighthouse at dusk' }),
  })
  const generation = (await made.json()) as { state?: string; result?: { url: string } }
  const { result } = generation
  if (generation.state !== 'ready' || result === undefined) throw new Error(`the generation ended as ${JSON.stringify(generation)}`)
  const { byteLength } = await (await fetch(new URL(new URL(result.url).pathname, origin))).arrayBuffer()
  return byteLength
}
