import { useSnapshot } from 'valtio'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { ConfirmedButton } from '#client/parts/deletion/ConfirmedButton.tsx'
import { agentInfos, type AgentState, builtInAgent } from '#events/agents.ts'
import { type Application, restart } from '#events/administration.ts'
import { live } from '../../app/live/live.state.ts'
import { useRemote } from '../../app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Panel } from '../../ui/Panel.tsx'
import { AgentStateChip } from '#client/settings/agents/AgentStateChip.tsx'
import { useAgents } from '#client/settings/sources/useAgents.ts'
import { StateChip } from './StateChip.tsx'
import classes from './Application.module.css'

/** State of the API and all agents, including the built-in one. */
export function StateSection({ about }: { about: Loadable<Application> }) {
  const states = useRemote(agentInfos, {}, 'agents')
  const names = useAgents()
  useFailureToast(states.error ?? names.error)
  const failed = [states, names].find(({ data, error }) => error && !data)
  return (
    <Panel title="API and agents" folds="open" actions={<RestartApi />}>
      <ul className={classes.states}>
        <li>
          <span className="strong break">API</span>
          <StateChip state={useApiState(about)} />
        </li>
        {names.data?.elements.map(({ id, name }) => (
          <li key={id}>
            <span className="strong break">{name}</span>
            <AgentStateChip id={id} info={states.data?.find((info) => info.id === id)} />
          </li>
        ))}
      </ul>
      {failed?.error && <Failure error={failed.error} retry={failed.retry} />}
    </Panel>
  )
}

/**
 * The API is connected while it responds and the live connection is up. A failed request alone doesn't mean that it is
 * down.
 */
function useApiState({ data, error }: Loadable<Application>): AgentState {
  const { phase } = useSnapshot(live)
  if (phase === 'offline' || (error && phase !== 'live')) return 'inactive'
  return data && phase === 'live' ? 'active' : 'unknown'
}

const toastMs = 5_000

/** Restarts the API after a confirmation, since all users are interrupted. */
const RestartApi = () => (
  <ConfirmedButton label="Restart API" title="Restart the API" verb="Restart API" act={restartApi}>
    Everyone is disconnected until the API is back. Scans resume where they left off.
  </ConfirmedButton>
)

async function restartApi(): Promise<void> {
  const outcome = await call(restart, { params: { id: builtInAgent } }).then(
    () => ({
      kind: 'info' as const,
      message: 'The API will restart in 15 seconds. Please note that it will be down for a couple of minutes.',
    }),
    () => ({ kind: 'danger' as const, message: 'Unable to restart the API.' }),
  )
  toast(outcome, toastMs)
}
