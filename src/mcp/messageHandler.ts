import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Log } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import type { Operations } from '../schema/operations.ts'
import { makeMcpServers } from './server.ts'
import type { Caller } from './tool.ts'

export type MessageHandlerOptions = { operations: Operations; version: string; log: Log }

/** Answers the messages of a request, which has no body, for its admitted caller. */
export type MessageHandler = (request: Request, caller: Caller, messages: unknown) => Promise<Response>

export function makeMessageHandler({ operations, version, log }: MessageHandlerOptions): MessageHandler {
  const serverFor = makeMcpServers({ operations, version })
  const callers = new WeakMap<Request, Caller>()
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo)
      invariant(caller, 'a message is handled only for an admitted caller')
      return serverFor(caller)
    },
    {
      onerror: ({ message }) => log.debug({ message }, 'an MCP message was refused'),
      // The lists of tools and resources never change.
      maxSubscriptions: 0,
    },
  )
  return (request, caller, messages) => {
    callers.set(request, caller)
    return handler.fetch(request, { parsedBody: messages })
  }
}
