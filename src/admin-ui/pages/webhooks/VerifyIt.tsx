import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import { type SnippetLanguage, verifySnippets } from './verifySnippets.ts'

const languages = Object.keys(verifySnippets) as SnippetLanguage[]

/** How a receiver tells that a request is ours. */
export function VerifyIt() {
  const [language, setLanguage] = useState<SnippetLanguage>('Node.js')
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        data={languages}
        value={language}
        onChange={(chosen) => setLanguage(chosen)}
        aria-label="Language"
        style={{ alignSelf: 'flex-start' }}
      />
      <CodeBlock label="Verify it" code={verifySnippets[language]} heightMax={260} />
      <Text size="xs" c="dimmed">
        Whoever knows the address can send it anything; the signature tells what came from here. Give the receiver the secret in the
        environment variable WEBHOOK_SECRET.
      </Text>
    </Stack>
  )
}
