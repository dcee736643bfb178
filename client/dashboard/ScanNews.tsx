import { useEffect, useEffectEvent, useState } from 'react'
import { isRunning } from '#events/dashboard.ts'
import type { ScanRecord } from '#events/scans.ts'
import { counted } from '../ui/text/count.ts'
import classes from './ScanNews.module.css'

const atMostEvery = 10_000

/** One sentence in ten seconds for those who listen to the screen, never each push. */
export function ScanNews({ scans }: { scans: ScanRecord[] }) {
  const [said, say] = useState('')
  const sayLatest = useEffectEvent(() => say(summary(scans)))
  useEffect(() => {
    const timer = setInterval(() => sayLatest(), atMostEvery)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className={classes.heard} aria-live="polite">
      {said}
    </p>
  )
}

function summary(scans: ScanRecord[]): string {
  const running = scans.filter(isRunning)
  if (running.length === 0) return scans[0] ? `Last scan: ${scans[0].volumeName}, ${scans[0].state}` : ''
  const entries = running.reduce((total, { progress }) => total + (progress?.entries ?? 0), 0)
  return `${counted(running.length, 'scan')} running, ${counted(entries, 'entry', 'entries')} so far`
}
