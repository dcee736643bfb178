import { type Heartbeat, protocolVersion } from '#events/agents.ts'

/** A heartbeat of an agent on the host `north`. */
export const beatOf = (run: string, machine?: Heartbeat['machine'], more: Partial<Heartbeat> = {}): Heartbeat => ({
  run,
  protocol: protocolVersion,
  version: '1',
  host: 'north',
  tasks: [],
  memory: 1,
  ...(machine && { machine }),
  ...more,
})
