import { useTimeout } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { archiwareIndexNames } from '#events/sources/archiwares.ts'
import { call, CallError } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { useConnectionCheck } from '#client/parts/settings-table/connectionCheck.ts'
import type { ArchiwareFields } from './archiwareForm.ts'
import type { ArchiwareForm } from './useNewArchiware.ts'

/** Milliseconds until a request for the names is reported as slow. */
const slowMs = 10_000

const inputOf = ({ credentials, agent }: ArchiwareFields) => ({
  params: { id: Number(credentials) },
  query: { serverId: Number(agent) },
})

/** Reads the names of the indexes of a P5 server through an agent. `isSlow` after ten seconds without an answer. */
export function useIndexNames(fields: ArchiwareFields) {
  const isKnown = fields.credentials !== '' && fields.agent !== ''
  const names = useRemote(archiwareIndexNames, isKnown ? inputOf(fields) : undefined)
  return { ...names, isSlow: useSlowness(names.loading) }
}

/** Checks if the agent may sign in at a P5 server. */
export function useServerProblems(form: ArchiwareForm) {
  const check = useConnectionCheck<ArchiwareFields>({
    form,
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
  })
  return { ...check, isSlow: useSlowness(check.isChecking) }
}

/** True once `loading` takes long. */
function useSlowness(loading: boolean): boolean {
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
