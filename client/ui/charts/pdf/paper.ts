import { StyleSheet } from '@react-pdf/renderer'
import { type Role, roles } from '#client/ui/theme/roles.ts'

/** PDF color of a role; paper uses the light scheme. */
export const ink = (role: Role): string => roles.light[role]

/** Characters that the standard fonts of PDF can't show; they are replaced by `?`. */
const writable = /[^\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/gu
export const written = (text: string): string => text.normalize('NFC').replaceAll(writable, '?')

/** Points on A4: 595 by 842, of which 515 are between the margins. */
export const paperWidth = 515

export const paper = StyleSheet.create({
  page: {
    padding: 40,
    paddingBottom: 56,
    backgroundColor: ink('surface'),
    color: ink('text'),
    fontFamily: 'Helvetica',
    fontSize: 9,
  },
  footer: {
    position: 'absolute',
    right: 40,
    bottom: 24,
    left: 40,
    flexDirection: 'row',
    justifyContent: 'space-between',
    paddingTop: 6,
    borderTop: `0.5pt solid ${ink('border')}`,
    color: ink('text-3'),
    fontSize: 8,
  },
  title: { fontFamily: 'Helvetica-Bold', fontSize: 20 },
  subtitle: { marginTop: 4, color: ink('text-2') },
  card: {
    marginTop: 8,
    padding: 12,
    border: `0.75pt solid ${ink('border')}`,
    borderRadius: 4,
  },
  cardTitle: { marginBottom: 8, fontFamily: 'Helvetica-Bold', fontSize: 11 },
  row: { flexDirection: 'row', alignItems: 'center', minHeight: 11 },
  quiet: { color: ink('text-2') },
  label: { flexGrow: 1, flexBasis: 0, maxLines: 1, textOverflow: 'ellipsis' },
  cell: { width: 62, textAlign: 'right' },
})
