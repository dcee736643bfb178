import { Button, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { hideSetup, type Setup, type SetupStep, setupSteps } from '#events/overview/setup.ts'
import { call } from '#client/app/call.ts'
import { type Links, useLinks } from '#client/app/links.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Panel } from '#client/ui/Panel.tsx'
import classes from './Setup.module.css'

type SetupCardProps = {
  setup: Setup
  /** Reads the steps again. */
  retry: () => void
  /** Next to each other, below the figures. */
  isCompact?: boolean
}

/** Steps of the first day, until the user hides them. */
export function SetupCard({ setup: { done, isHidden }, retry, isCompact = false }: SetupCardProps) {
  const [isUndoable, setUndoable] = useState(false)
  const [busy, hide] = useBusy(async (isHidden: boolean) => {
    await call(hideSetup, { body: { isHidden } })
    setUndoable(isHidden)
    retry()
  })
  if (isHidden) return isUndoable ? <Hidden busy={busy} onUndo={() => hide(false)} /> : null
  return (
    <Panel
      title="Get started"
      note={`${done.length} of ${setupSteps.length} done`}
      actions={
        <Button variant="subtle" size="compact-sm" loading={busy} onClick={() => hide(true)}>
          Hide checklist
        </Button>
      }
    >
      <Steps done={done} isCompact={isCompact} />
      {done.includes('storage') && <History />}
    </Panel>
  )
}

/** Replaces the checklist until the page is left, in case it was hidden by mistake. */
function Hidden({ busy, onUndo }: { busy: boolean; onUndo: () => void }) {
  return (
    <p className="row muted inset-line gap-8">
      The checklist is hidden.
      <Button variant="subtle" size="compact-sm" loading={busy} onClick={onUndo}>
        Undo
      </Button>
    </p>
  )
}

/** Other tools may have months of history. */
function History() {
  const links = useLinks()
  return (
    <p className="muted inset-line">
      Do you have exports of another tool? <Link href={links.importHistory()}>Import history</Link>
    </p>
  )
}

type Step = { title: string; reason: string; verb: string; href: (links: Links) => string }

const steps: Record<SetupStep, Step> = {
  storage: {
    title: 'Add a storage',
    reason: 'A folder, a share or a bucket to scan. Prices are optional.',
    verb: 'Add storage',
    href: (links) => links.addStorage(),
  },
  schedule: {
    title: 'Schedule its scans',
    reason: 'Every scan adds a snapshot, so growth becomes visible.',
    verb: 'Add schedule',
    href: (links) => links.addSchedule(),
  },
  mail: {
    title: 'Connect a mail server',
    reason: 'Alerts and reports are sent by email.',
    verb: 'Set up mail',
    href: (links) => links.settings('mail'),
  },
  alert: {
    title: 'Create an alert',
    reason: 'Know when a storage fills up or a scan fails.',
    verb: 'Add alert',
    href: (links) => links.addAlert(),
  },
  user: {
    title: 'Add a second user',
    reason: 'Another person can sign in when you are away.',
    verb: 'Add user',
    href: (links) => links.settings('users'),
  },
}

function Steps({ done, isCompact }: Pick<Setup, 'done'> & { isCompact: boolean }) {
  const links = useLinks()
  const next = setupSteps.find((step) => !done.includes(step))
  return (
    <ul className={`inset-8 ${isCompact ? classes.compact : ''}`}>
      {setupSteps.map((step) => {
        const { title, reason, verb, href } = steps[step]
        const isDone = done.includes(step)
        const Sign = isDone ? IconCircleCheck : IconCircle
        return (
          <li key={step} className={classes.step} data-done={isDone || undefined}>
            <Sign size={18} stroke={1.5} aria-hidden />
            <span className={classes.title}>
              {title}
              <VisuallyHidden>{isDone ? ': done' : ': open'}</VisuallyHidden>
            </span>
            {!isDone && (
              <>
                <span className={classes.reason}>{reason}</span>
                <Button
                  component={Link}
                  href={href(links)}
                  size="compact-sm"
                  variant={step === next ? 'filled' : 'default'}
                >
                  {verb}
                </Button>
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}
