import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { cronWords, loadCronWords } from './words.state.ts'

/** Description of a cron expression; empty if it is invalid. */
export function CronWords({ cron }: { cron: string }) {
  const { reader } = useSnapshot(cronWords)
  useEffect(() => void loadCronWords().catch(() => {}), [])
  return reader && wordsOf(reader.read, cron)
}

function wordsOf(read: (cron: string) => string, cron: string): string {
  try {
    return read(cron)
  } catch {
    return ''
  }
}
