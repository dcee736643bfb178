import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type Application, dailyLog, logs } from '#events/administration.ts'
import { download } from '../../app/call.ts'
import { saveFile } from '../../app/saveFile.ts'
import { useBusy } from '../../app/useBusy.ts'
import { Card } from '../../ui/Card.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { StateChip } from './StateChip.tsx'
import classes from './Application.module.css'

/** Versions of the application and its stores, and its log. */
export function ApplicationSection({ about }: { about: Loadable<Application> }) {
  const buttons = (
    <>
      <LogButton of={dailyLog}>Today's log</LogButton>
      <LogButton of={logs}>Download logs</LogButton>
    </>
  )
  return (
    <Card title="Application Information" remote={about} folds="open" actions={buttons}>
      {(application) => <Facts application={application} />}
    </Card>
  )
}

function LogButton({ of, children }: { of: typeof logs | typeof dailyLog; children: string }) {
  const [busy, save] = useBusy(async () => saveFile(await download(of, {})))
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={busy}
      leftSection={<IconDownload size={16} stroke={1.5} />}
      onClick={() => save()}
    >
      {children}
    </Button>
  )
}

function Facts({
  application: { version, build, node, upSince, settingsFolder, machine, stores },
}: {
  application: Application
}) {
  return (
    <dl className={classes.facts}>
      <dt>Version</dt>
      <dd>{version}</dd>
      <dt>Build</dt>
      <dd className="small mono break">{build}</dd>
      <dt>Node</dt>
      <dd>{node}</dd>
      <dt>Up since</dt>
      <dd>
        <Moment at={upSince} />
      </dd>
      {settingsFolder !== null && (
        <>
          <dt>Settings folder</dt>
          <dd className="small mono break">{settingsFolder}</dd>
        </>
      )}
      <dt>Time zone</dt>
      <dd>
        {machine.timeZone} (from {machine.timeZoneSource})
      </dd>
      <dt>Memory limit</dt>
      <dd>
        <Size bytes={machine.memoryBytes} /> (from the {machine.memorySource})
      </dd>
      {machine.proxies.length > 0 && (
        <>
          <dt>Proxy</dt>
          <dd className="small mono break">{machine.proxies.join(', ')}</dd>
        </>
      )}
      {stores.map(({ name, isUp, version }) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd className="row wrap gap-4-12">
            {version ?? '-'} <StateChip state={isUp ? 'active' : 'inactive'} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
