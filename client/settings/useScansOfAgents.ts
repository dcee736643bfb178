import { useState } from 'react'
import { type AgentInfo, builtInAgent } from '#events/agents.ts'
import { type Dashboard, evolveDashboard, isOfDashboard } from '#events/dashboard.ts'
import type { ScanRecord } from '#events/scans.ts'
import { useTopic } from '../app/live/useTopic.ts'

/** What an agent scans now and how fast, as it is told. What no other agent scans, the built-in one does. */
export function useScansOfAgents(infos: AgentInfo[] | undefined): (agentId: number) => ScanRecord[] {
  const [newest, note] = useState<Dashboard>()
  useTopic('dashboard', (message) => {
    if (message.type !== 'state') return note((known) => message.events.filter(isOfDashboard).reduce(folded, known))
    if (message.state && 'storages' in message.state) note(message.state)
  })
  const running = newest?.scans.filter(({ state }) => state === 'running') ?? []
  const ofOthers = infos?.flatMap(({ scanIds }) => scanIds)
  return (agentId) => {
    const own = infos?.find(({ id }) => id === agentId)?.scanIds
    if (agentId !== builtInAgent) return running.filter(({ scanId }) => own?.includes(scanId))
    return ofOthers ? running.filter(({ scanId }) => !ofOthers.includes(scanId)) : []
  }
}

const folded = (known: Dashboard | undefined, event: Parameters<typeof evolveDashboard>[1]): Dashboard | undefined =>
  known && evolveDashboard(known, event)
