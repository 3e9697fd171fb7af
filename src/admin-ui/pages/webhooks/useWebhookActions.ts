import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useClient, useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { showFailed, showSaved } from '../../ui/feedback/notify.ts'
import { readFailedSince } from './failedSince.ts'
import type { WebhookAction } from './WebhookMenu.tsx'
import type { Webhook } from './webhooksQuery.ts'

const SendTest = graphql(`
  mutation SendTestEvent($input: SendTestEventInput!) {
    sendTestEvent(input: $input) {
      id
    }
  }
`)

export type OpenDialog = {
  dialog: 'edit' | 'rotate' | 'recover' | 'delete'
  webhook: Webhook
  opened: boolean
  /** Set after the resume of a webhook that was paused because it failed. */
  failedSince?: string
}

/** The actions of the webhook menu: immediate ones, and those with a dialog. */
export function useWebhookActions() {
  const team = useTeam()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<OpenDialog>()
  const client = useClient()
  const [, update] = useMutation(UpdateWebhook)
  const [, sendTest] = useMutation(SendTest)

  const setPaused = async (webhook: Webhook, paused: boolean) => {
    const { id, autoPausedAt } = webhook
    const { error } = await update({ input: { id, paused } })
    if (error) return showFailed(paused ? 'It could not be paused' : 'It could not be resumed', failureOf(error))
    if (!paused && autoPausedAt !== null) {
      showSaved('Resumed. Its events are failed deliveries: recover them to send them.')
      return setAsked({ dialog: 'recover', webhook, opened: true, failedSince: await readFailedSince(client, id, autoPausedAt) })
    }
    showSaved(
      paused
        ? 'Paused. Until you resume it, events are neither recorded nor sent.'
        : 'Resumed. Open deliveries are sent now. Events during the pause were not recorded.',
    )
  }
  /** Opens the delivery, where the user sees the progress. */
  const test = async ({ id }: Webhook) => {
    const { data, error } = await sendTest({ input: { subscriptionId: id } })
    if (error) return showFailed('The test event could not be sent', failureOf(error))
    if (data) await navigate(paths.screen(team.id, 'deliveries', { webhook: id, delivery: data.sendTestEvent.id }))
  }
  return {
    asked,
    close: () => setAsked((now) => now && { ...now, opened: false }),
    clear: () => setAsked(undefined),
    act: async (action: WebhookAction, webhook: Webhook) => {
      if (action === 'pause' || action === 'resume') return setPaused(webhook, action === 'pause')
      if (action === 'test') return test(webhook)
      setAsked({ dialog: action, webhook, opened: true })
    },
  }
}

export const UpdateWebhook = graphql(`
  mutation UpdateWebhook($input: UpdateWebhookSubscriptionInput!) {
    updateWebhookSubscription(input: $input) {
      id
      events
      paused
      autoPausedAt
    }
  }
`)
