import { useTimeout } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { archiwareIndexNames } from '#events/sources/archiwares.ts'
import { useRemote } from '#client/app/remote.ts'
import type { ArchiwareFields } from './archiwareForm.ts'

/** Milliseconds until a request for the names is reported as slow. */
const slowMs = 10_000

/** Reads the names of the indexes of a P5 server through an agent. `isSlow` after ten seconds without an answer. */
export function useIndexNames({ credentials, agent }: ArchiwareFields) {
  const input =
    credentials === '' || agent === ''
      ? undefined
      : { params: { id: Number(credentials) }, query: { serverId: Number(agent) } }
  const names = useRemote(archiwareIndexNames, input)
  const { loading } = names
  const [isSlow, setSlow] = useState(false)
  const { start, clear } = useTimeout(() => setSlow(true), slowMs)
  useEffect(() => {
    if (loading) start()
    return () => {
      clear()
      setSlow(false)
    }
  }, [loading, start, clear])
  return { ...names, isSlow: isSlow && loading }
}
