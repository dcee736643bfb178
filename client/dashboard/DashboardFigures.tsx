import { useSnapshot } from 'valtio'
import type { Dashboard } from '#events/dashboard.ts'
import { Figure, Figures } from '../ui/Figure.tsx'
import type { Loadable } from '../ui/loadable.ts'
import { sizeSetting } from '../ui/sizeBase.state.ts'
import { compactCount, countText, counted } from '../ui/text/count.ts'
import { exactSize, sizeText } from '../ui/text/size.ts'
import { dashboardState } from './dashboard.state.ts'
import { storageTotals } from './storageTotals.ts'

/** The first row: what the chosen storages hold together. */
export function DashboardFigures({ dashboard: { data: dashboard, error } }: { dashboard: Loadable<Dashboard> }) {
  const { base } = useSnapshot(sizeSetting)
  const { leftOut } = useSnapshot(dashboardState)
  const all = dashboard?.storages.length ?? 0
  const chosen = dashboard?.storages.filter(({ volumeId }) => !leftOut.includes(volumeId)) ?? []
  const totals = storageTotals(chosen)
  const { used, capacity, sizeOfFiles, countedSize, files, folders, partial } = totals

  const size = (bytes: number) => sizeText(bytes, base)
  const words = (bytes: number) => Object.values(size(bytes)).join(' ')
  const known = (value: number | null) => (dashboard ? value : error ? null : undefined)
  const counts = { text: compactCount, exact: countText, atLeast: partial > 0 }
  const sizes = { text: size, exact: exactSize }
  return (
    <Figures>
      <Figure
        label="Used"
        value={known(capacity > 0 || all === 0 ? used : null)}
        {...sizes}
        note={capacity > 0 ? `of ${words(capacity)} capacity` : all > 0 && 'Capacity unknown'}
      />
      <Figure
        label="Size of files"
        value={known(sizeOfFiles)}
        {...sizes}
        atLeast={partial > 0}
        note={countedSize !== sizeOfFiles && `${words(countedSize)} counted once`}
      />
      <Figure
        label="Files"
        value={known(files)}
        {...counts}
        note={files > 0 && `${words(sizeOfFiles / files)} on average`}
      />
      <Figure
        label="Folders"
        value={known(folders)}
        {...counts}
        note={folders > 0 && `${(files / folders).toFixed(1)} files per folder`}
      />
      <Figure
        label="Storages"
        value={known(chosen.length)}
        {...counts}
        atLeast={false}
        note={chosen.length < all ? `of ${all} chosen` : partial > 0 && counted(partial, 'partial', 'partial')}
      />
    </Figures>
  )
}
