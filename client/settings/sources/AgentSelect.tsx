import { NativeSelect } from '@mantine/core'
import type { ComponentProps } from 'react'
import { optionsOf, useAgents } from './useAgents.ts'

/** Selects the agent that scans a source. */
export function AgentSelect(select: Omit<ComponentProps<typeof NativeSelect>, 'data' | 'label'>) {
  const { data } = useAgents()
  return <NativeSelect label="Agent" data={optionsOf(data)} {...select} />
}

/** Name of an agent in a row that only has its id. */
export function AgentName({ id }: { id: number }) {
  const { data } = useAgents()
  return data?.elements.find((agent) => agent.id === id)?.name ?? '-'
}
