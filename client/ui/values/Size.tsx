import { exactSize, sizeText } from '#client/ui/text/size.ts'
import { useSizeBase } from './sizeBase.state.ts'

/** A size with three digits; exact bytes are in the tooltip. */
export function Size({ bytes }: { bytes: number }) {
  const { value, unit } = sizeText(bytes, useSizeBase())
  return (
    <span className="nowrap" title={exactSize(bytes)}>
      {value}
      {unit && <span className="muted"> {unit}</span>}
    </span>
  )
}
