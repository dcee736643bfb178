import { IconDeviceTv } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import {
  boardTitles,
  type NewWallToken,
  type WallBoard,
  wallBoards,
  wallSeconds,
  type WallToken,
  WallTokenDraft,
  wallTokens,
} from '#events/wall.ts'
import { type Limits, noLimits } from '#events/users/limits.ts'
import { typedNumber } from '#client/app/form.ts'
import { wallAddress, wallPreview } from '#client/app/links.ts'
import { withBase } from '#client/app/place/basePath.ts'
import { LimitsInput, limitsText } from '#client/parts/limits/LimitsInput.tsx'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { copiedSecret } from '#client/parts/settings-table/SecretDialog.tsx'
import { SettingsSection, TableIntro } from '#client/parts/settings-table/SettingsTable.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { BoardsInput } from './BoardsInput.tsx'
import classes from './WallDisplays.module.css'

/** Wall displays without a user: creates and revokes their links. */
export const WallDisplaysSection = () => (
  <SettingsSection
    title="Wall displays"
    table={wallDisplays}
    intro={<TableIntro>A wall display shows the latest snapshot, jobs and agents through a read-only link.</TableIntro>}
  />
)

type WallDraft = z.input<typeof WallTokenDraft>

const colors = [
  { value: '', label: 'Follow the browser of the display' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
]

/** Text of the boards, such as "Capacity, Jobs; 30 s". */
const shownText = ({ boards, every }: WallToken) =>
  `${boards.map((board) => boardTitles[board]).join(', ')}${boards.length > 1 ? `; ${every} s each` : ''}`

const wallDisplays: SettingsTable<WallToken, WallDraft, NewWallToken> = {
  label: 'Wall displays',
  rows: rowsOf(wallTokens.list, 'wallTokens'),
  sort: { field: 'name', direction: 'asc' },
  calls: callsOf(wallTokens),
  columns: [
    { key: 'name', title: 'Name', sortable: true, grows: true, cell: (display) => <NameAndSeen {...display} /> },
    { key: 'boards', title: 'Boards', wideOnly: true, cell: shownText },
    { key: 'limits', title: 'Sees', wideOnly: true, cell: ({ limits = noLimits }) => limitsText(limits) },
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
    { key: 'seen', title: 'Last seen', wideOnly: true, cell: (display) => <LastSeen {...display} /> },
  ],
  empty: { icon: IconDeviceTv, text: 'No wall displays yet.' },
  adding: { label: 'Add wall display', link: 'wall' },
  editing: { label: ({ name }) => `Edit ${name}` },
  opens: {
    at: 'dialog',
    size: 'M',
    title: (edited) => (edited === 'new' ? 'Add wall display' : `Edit ${edited.name}`),
    saves: (edited) => (edited === 'new' ? 'Create link' : 'Save display'),
  },
  form: describeForm<WallToken, WallDraft>()({
    schema: WallTokenDraft,
    fields: {
      name: { label: 'Name', placeholder: 'Location, such as Lobby', initial: '' },
      limits: {
        label: 'Sees',
        kind: 'own',
        Input: LimitsInput,
        description: 'Boards that show more are not available on the display.',
        initial: noLimits as Limits,
        read: ({ limits = noLimits }) => limits,
      },
      boards: {
        label: 'Boards',
        kind: 'own',
        Input: BoardsInput,
        description: 'Shown in this order. Boards with nothing to show are skipped.',
        initial: [...wallBoards] as WallBoard[],
      },
      every: {
        label: 'Seconds per board',
        errorLabel: 'Every',
        kind: 'number',
        initial: wallSeconds.default as number | string,
        write: typedNumber,
      },
      scheme: {
        label: 'Colors',
        kind: 'select',
        options: colors,
        initial: '',
        read: ({ scheme }) => scheme ?? '',
        write: (scheme) => (scheme === 'dark' || scheme === 'light' ? scheme : null),
      },
      frameAncestors: {
        label: 'Allow embedding on',
        description:
          'Sites that may show this display in a frame, such as https://intranet.example.com. Leave empty for none. Over http, only sites of the same domain work.',
        initial: '',
      },
    },
    extra: ({ boards, every, scheme }) => <WallPreview boards={boards} every={Number(every)} scheme={scheme} />,
    saved: ({ name }, edited) => (edited === 'new' ? undefined : `${name.trim()} was updated`),
  }),
  secret: ({ name, token }) =>
    copiedSecret({
      title: `${name} was added`,
      label: 'This link',
      value: wallAddress(token),
      warning:
        "Anyone who has it can see the storages of the display, their folders, jobs and agents, but can't change anything.",
      usage:
        'Set it as the start page of the display. Options can be changed here at any time; the display follows within seconds. On the display, Esc exits, arrow keys switch boards, Space pauses.',
    }),
  deletion: {
    label: ({ name }) => `Revoke ${name}`,
    verb: 'Revoke wall display',
    question: ({ name }) =>
      `Displays opened with the link of ${name} close within seconds, and the link stops working.`,
    deleted: ({ name }) => `${name} was revoked`,
  },
}

/** The name; on telephones with the last display below it. */
const NameAndSeen = (display: WallToken) => (
  <>
    {display.name}
    <span className={classes.seen}>
      <LastSeen {...display} />
    </span>
  </>
)

function LastSeen({ displays, lastSeenAt }: WallToken) {
  if (!lastSeenAt) return 'Not opened yet'
  return (
    <>
      <Moment at={lastSeenAt} />
      {displays > 1 && `, ${counted(displays, 'display')}`}
    </>
  )
}

type WallPreviewProps = { boards: WallBoard[]; every: number; scheme: string }

/** Time without changes before the preview follows, in milliseconds. */
const pauseMs = 500

/** The wall with these options and current data, at a quarter of the size of a display with 720 lines. */
function WallPreview({ boards, every, scheme }: WallPreviewProps) {
  const address = withBase(wallPreview({ boards, every, scheme }))
  const [shown, show] = useState(address)
  useEffect(() => {
    const timer = setTimeout(() => show(address), pauseMs)
    return () => clearTimeout(timer)
  }, [address])
  return (
    <figure className={classes.preview}>
      <figcaption>Preview</figcaption>
      <div className={classes.screen} inert>
        {boards.length > 0 && (
          // oxlint-disable-next-line react/iframe-missing-sandbox -- a page of this product, which needs scripts and its session
          <iframe key={shown} className={classes.frame} src={shown} title="Preview of the wall" />
        )}
      </div>
    </figure>
  )
}
