import { NativeSelect } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { createContext, useContext, useEffect, useState } from 'react'
import { archiwareIndexNames } from '#events/sources/archiwares.ts'
import { call, CallError } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import type { Connection } from '#client/parts/settings-table/connectionCheck.ts'

/** Milliseconds until a request for the names is reported as slow. */
const slowMs = 10_000

type Server = { credentials: string; agent: string }

const inputOf = ({ credentials, agent }: Server) => ({
  params: { id: Number(credentials) },
  query: { serverId: Number(agent) },
})

/** Reads the names of the indexes of a P5 server through an agent. */
export function useIndexNames(fields: Server, isNeeded: boolean) {
  const isKnown = isNeeded && fields.credentials !== '' && fields.agent !== ''
  return useRemote(archiwareIndexNames, isKnown ? inputOf(fields) : undefined)
}

/** Names of the indexes to choose from. */
export const IndexNames = createContext<string[] | undefined>(undefined)

/** Selects one of the indexes of a P5 server. */
export function IndexSelect({ onChange, ...select }: InputProps<string>) {
  const names = useContext(IndexNames) ?? []
  const none = names.length === 0 ? 'This server has no index' : 'Choose an index'
  return (
    <NativeSelect
      {...select}
      data={[{ value: '', label: none, disabled: true }, ...names]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** Has the agent sign in at a P5 server. */
export const serverConnection: Connection<Server> = {
  keyOf: inputOf,
  async check(fields) {
    try {
      await call(archiwareIndexNames, inputOf(fields))
      return {}
    } catch (error) {
      if (error instanceof CallError && error.status >= 500) return { credentials: error.message }
      throw error
    }
  },
}

/** True after ten seconds of `loading`. */
export function useSlowness(loading: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  const { start, clear } = useTimeout(() => setSlow(true), slowMs)
  useEffect(() => {
    if (loading) start()
    return () => {
      clear()
      setSlow(false)
    }
  }, [loading, start, clear])
  return isSlow && loading
}
