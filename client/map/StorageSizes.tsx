import { navigate } from '#client/app/place/navigate.ts'
import { useLinks } from '#client/app/links.ts'
import { useVolumes } from '#client/parts/storages/useVolumes.ts'
import { RankedBars } from '#client/ui/charts/RankedBars.tsx'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import { Card } from '#client/ui/Card.tsx'
import { sizeText } from '#client/ui/text/size.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'

/** All storages by size. Each opens its map. */
export function StorageSizes() {
  const storages = useVolumes()
  const links = useLinks()
  const base = useSizeBase()
  return (
    <Card title="Storages" remote={storages} note="Each opens its map">
      {({ elements }) => {
        const parts = elements
          .toSorted((a, b) => b.sizeOfFiles - a.sizeOfFiles)
          .map(({ id, name, sizeOfFiles }): ChartPart => {
            const text = Object.values(sizeText(sizeOfFiles, base)).join(' ')
            return {
              key: String(id),
              label: name,
              value: sizeOfFiles,
              text,
              role: 'category-1',
              isPickable: true,
              cells: [text],
            }
          })
        return (
          <div className="inset">
            <RankedBars parts={parts} onPick={(id) => navigate(links.map({ volumeId: Number(id), path: '/' }))} />
          </div>
        )
      }}
    </Card>
  )
}
