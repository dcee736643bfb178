import { Button } from '@mantine/core'
import { IconFileUnknown, IconLock } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { RoleGuard } from '../app/shell/RoleGuard.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { counted } from '../ui/text/count.ts'
import { BrowseMode } from './BrowseMode.tsx'
import { FileActions } from './FileActions.tsx'
import { LiveMode } from './LiveMode.tsx'
import { ModeTabs } from './ModeTabs.tsx'
import { ReplayMode } from './ReplayMode.tsx'
import { closeFile, sandbox } from './sandbox.state.ts'
import { type Source, server } from './source.ts'
import { SourceContext } from './SourceContext.ts'
import { useAddress } from './useAddress.ts'
import classes from './modes.module.css'

/** Everything that ever happened: as it happens, filtered, and as it was. */
export function EventLogPage() {
  const address = useAddress()
  const { file } = useSnapshot(sandbox)
  const mode = file && address.mode === 'live' ? 'browse' : address.mode
  const title = 'Event log'
  return (
    <RoleGuard needs="events.see" otherwise={<NotPermitted title={title} />}>
      <Page
        title={title}
        actions={<FileActions address={{ ...address, mode }} isSandbox={file !== undefined} />}
        tabs={<ModeTabs mode={mode} isSandbox={file !== undefined} show={address.show} />}
      >
        <SourceContext value={(file?.source as Source | undefined) ?? server}>
          <div className={classes.room}>
            {file && <OpenFile name={file.name} events={file.events} />}
            {mode === 'live' && <LiveMode address={address} />}
            {mode === 'browse' && <BrowseMode key={file?.name} address={address} />}
            {mode === 'replay' && <ReplayMode address={address} />}
          </div>
        </SourceContext>
      </Page>
    </RoleGuard>
  )
}

function NotPermitted({ title }: { title: string }) {
  return (
    <Page title={title}>
      <Notice icon={IconLock}>The event log needs the role ROLE_ADMIN.</Notice>
    </Page>
  )
}

/** What is seen is a file, and stays in this browser. */
function OpenFile({ name, events }: { name: string; events: number }) {
  return (
    <div className={classes.file}>
      <IconFileUnknown size={16} stroke={1.5} aria-hidden />
      <output>
        <strong>{name}</strong>
        {`: ${counted(events, 'event')} of a file, in this browser alone. Nothing of it is sent to the server.`}
      </output>
      <Button variant="default" size="compact-sm" onClick={closeFile}>
        Close the file
      </Button>
    </div>
  )
}
