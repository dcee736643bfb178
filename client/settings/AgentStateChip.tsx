import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck, IconServer } from '@tabler/icons-react'
import { type AgentInfo, type AgentState, builtInAgent } from '#events/agents.ts'
import type { ScanRecord } from '#events/scans.ts'
import { Chip } from '../ui/Chip.tsx'
import { compactCount, counted } from '../ui/text/count.ts'
import { agoText, momentText } from '../ui/text/moment.ts'

const shown = {
  active: { icon: IconCircleCheck, tone: 'good', word: 'Active' },
  inactive: { icon: IconAlertOctagon, tone: 'critical', word: 'Inactive' },
  unknown: { icon: IconAlertTriangle, tone: 'warn', word: 'Unknown' },
} as const satisfies Record<AgentState, unknown>

type AgentStateChipProps = { id: number; info: AgentInfo | undefined; scans?: ScanRecord[] }

/** How an agent is, of which version, and what it scans now; when it was last heard of is one hover away. */
export function AgentStateChip({ id, info, scans = [] }: AgentStateChipProps) {
  if (id === builtInAgent)
    return (
      <Chip icon={IconServer} title="The server starts this agent itself">
        {['Built in', ...scans.map(scanText)].join(' · ')}
      </Chip>
    )
  if (!info) return null
  const { icon, tone, word } = shown[info.state]
  const others = info.runningTasks - scans.length
  const words = [word, info.version, ...scans.map(scanText), others > 0 && counted(others, 'task')]
  return (
    <Chip icon={icon} tone={tone} title={lastHeard(info)}>
      {words.filter(Boolean).join(' · ')}
    </Chip>
  )
}

/** `Films 12.3K entries/s` */
const scanText = ({ volumeName, progress }: ScanRecord): string =>
  progress ? `${volumeName} ${Object.values(compactCount(progress.rate)).join('')} entries/s` : volumeName

function lastHeard({ state, lastActiveDate }: AgentInfo): string {
  if (!lastActiveDate) return 'It was never heard of. Start it on its machine.'
  if (state === 'active') return 'Heard of in the last 15 seconds'
  return `Last active ${momentText(lastActiveDate)}, ${agoText(lastActiveDate)}`
}
