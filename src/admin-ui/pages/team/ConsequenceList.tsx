import { List, Stack, Text } from '@mantine/core'
import { type Consequences, isWithoutConsequences } from './roleRules.ts'

type ConsequenceListProps = { consequences: Consequences; isSelf: boolean }

/** Lists the keys that stop working when a person loses a role or leaves the team, and the secrets that others must rotate. */
export function ConsequenceList({ consequences, isSelf }: ConsequenceListProps) {
  const { issuedKeys, shownKeys, shownWebhooks, shownAlertSubscriptions, sawCallbackSecret } = consequences
  if (isWithoutConsequences(consequences)) return <Text>No key of the team stops working.</Text>
  return (
    <Stack gap="sm">
      {issuedKeys > 0 && <Text>{describeIssuedKeys(issuedKeys, isSelf)}</Text>}
      {shownKeys.length > 0 && (
        <div>
          <Text>{describeShownKeys(shownKeys.length, isSelf)}</Text>
          <Names names={shownKeys.map(({ name }) => name)} />
        </div>
      )}
      {shownWebhooks.length > 0 && (
        <div>
          <Text>{describeShownSecrets(shownWebhooks.length, { isSelf, one: 'webhook' })}</Text>
          <Names names={shownWebhooks.map(({ address }) => address)} />
        </div>
      )}
      {shownAlertSubscriptions.length > 0 && (
        <div>
          <Text>{describeShownSecrets(shownAlertSubscriptions.length, { isSelf, one: 'alert' })}</Text>
          <Names names={shownAlertSubscriptions.map(({ address }) => address)} />
        </div>
      )}
      {sawCallbackSecret && <Text>{isSelf ? 'You' : 'They'} will still have the callback secret of the team. Rotate it.</Text>}
      {(issuedKeys > 0 || shownKeys.length > 0) && <Text>Running work continues.</Text>}
    </Stack>
  )
}

function describeIssuedKeys(count: number, isSelf: boolean): string {
  const who = isSelf ? 'you' : 'they'
  return count === 1
    ? `The 1 key that ${who} issued for the team stops working at once.`
    : `The ${count} keys that ${who} issued for the team stop working at once.`
}

function describeShownKeys(count: number, isSelf: boolean): string {
  const value = `${isSelf ? 'Your' : 'Their'} value of ${count === 1 ? 'this key' : 'these keys'}`
  return `${value} stops working at once. Where a program uses that value, rotate the key again:`
}

function describeShownSecrets(count: number, { isSelf, one }: { isSelf: boolean; one: string }): string {
  const secret = count === 1 ? `secret of this ${one}. Rotate it:` : `secrets of these ${one}s. Rotate them:`
  return `${isSelf ? 'You' : 'They'} will still have the signing ${secret}`
}

const namesShownMax = 10
/** The server returns at most this many names. */
const namesListedMax = 50

function Names({ names }: { names: readonly string[] }) {
  const more = names.length - namesShownMax
  return (
    <List size="sm" withPadding mt={4}>
      {names.slice(0, namesShownMax).map((name, index) => (
        <List.Item key={`${index} ${name}`} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </List.Item>
      ))}
      {more > 0 && <List.Item>{names.length < namesListedMax ? `${more} more` : `${more} or more others`}</List.Item>}
    </List>
  )
}
