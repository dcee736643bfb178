import { useSnapshot } from 'valtio'
import { agentInfos, type AgentState } from '#events/agents.ts'
import type { Application } from '#events/administration.ts'
import { live } from '../../app/live/live.state.ts'
import { useRemote } from '../../app/remote.ts'
import { useFailureToast } from '../../app/useFailureToast.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Panel } from '../../ui/Panel.tsx'
import { AgentStateChip } from '#client/settings/agents/AgentStateChip.tsx'
import { RestartApi } from './RestartApi.tsx'
import { StateChip } from './StateChip.tsx'
import classes from './Application.module.css'

/** State of the API and its agents. The built-in agent is part of the API. */
export function StateSection({ about }: { about: Loadable<Application> }) {
  const agents = useRemote(agentInfos, {}, 'agents')
  useFailureToast(agents.error)
  return (
    <Panel title="API and Agents" folds="open" actions={<RestartApi />}>
      <ul className={classes.states}>
        <li>
          <span className={classes.name}>API</span>
          <StateChip state={useApiState(about)} />
        </li>
        {agents.data?.map((info) => (
          <li key={info.id}>
            <span className={classes.name}>{info.name}</span>
            <AgentStateChip id={info.id} info={info} />
          </li>
        ))}
      </ul>
      {agents.error && !agents.data && <Failure error={agents.error} retry={agents.retry} />}
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
