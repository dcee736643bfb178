import { IconDeviceTv } from '@tabler/icons-react'
import { type NewWallToken, type WallToken, WallTokenDraft, wallTokens } from '#events/wall.ts'
import { wallAddress } from '#client/app/links.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { copiedSecret } from '#client/parts/settings-table/SecretDialog.tsx'
import { SettingsSection, TableIntro } from '#client/parts/settings-table/SettingsTable.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Moment } from '#client/ui/values/Moment.tsx'

/** Wall displays without a user: creates and revokes their links. */
export const WallDisplaysSection = () => (
  <SettingsSection
    title="Wall displays"
    folds="open"
    table={wallDisplays}
    intro={<TableIntro>A wall display shows the latest snapshot, jobs and agents through a read-only link.</TableIntro>}
  />
)

type WallFields = { name: string; frameAncestors: string }

const wallDisplays: SettingsTable<WallToken, WallFields, WallFields, NewWallToken> = {
  label: 'Wall displays',
  rows: rowsOf(wallTokens.list, 'wallTokens'),
  sort: { field: 'name', direction: 'asc' },
  calls: callsOf(wallTokens),
  columns: [
    { key: 'name', title: 'Name', sortable: true, grows: true, cell: ({ name }) => name },
    {
      key: 'createdAt',
      title: 'Created',
      sortable: true,
      wideOnly: true,
      cell: ({ createdAt, createdBy }) => (
        <>
          <Moment at={createdAt} /> by {createdBy}
        </>
      ),
    },
    { key: 'seen', title: 'Last seen', cell: (display) => <LastSeen {...display} /> },
  ],
  empty: { icon: IconDeviceTv, text: 'There are no wall displays.' },
  adding: { label: 'Add wall display' },
  form: {
    opens: { at: 'dialog', size: 'M', title: () => 'Add wall display', saves: () => 'Create link' },
    inputs: [
      { name: 'name', label: 'Name', placeholder: 'Location, such as Lobby' },
      {
        name: 'frameAncestors',
        label: 'Frame ancestors',
        description:
          'Addresses of sites that may show this display in a frame, such as https://intranet.example.com. Leave empty for none. Over http, only sites of the same domain work.',
      },
    ],
    schema: WallTokenDraft,
    fields: { name: '', frameAncestors: '' },
    toDraft: (fields) => fields,
  },
  secret: ({ name, token }) =>
    copiedSecret({
      title: `${name} was added`,
      label: 'This link',
      value: wallAddress(token),
      warning: "Anyone who has it can see storages, jobs and agents, but can't change anything.",
      usage: (
        <>
          Set it as the start page of the display. Add <code>&amp;boards=capacity,jobs,growth,map,agents</code> to
          choose boards, <code>&amp;every=30</code> for the seconds per board (10 to 300), <code>&amp;scheme=dark</code>{' '}
          or <code>light</code> for its colors. On the display, Esc leaves, the arrow keys change the board, and Space
          pauses.
        </>
      ),
    }),
  deletion: {
    label: ({ name }) => `Revoke ${name}`,
    verb: 'Revoke wall display',
    question: ({ name }) =>
      `Displays opened with the link of ${name} close within seconds, and the link stops working.`,
    deleted: ({ name }) => `${name} was revoked`,
  },
}

function LastSeen({ displays, lastSeenAt }: WallToken) {
  if (!lastSeenAt) return 'Not opened yet'
  return (
    <>
      <Moment at={lastSeenAt} />
      {displays > 1 && `, ${counted(displays, 'display')}`}
    </>
  )
}
