/**
 * Where a lock file lists a package that another one requires: in its own node_modules, or in those
 * of a folder above.
 *
 * @returns {string | null} the key in `packages`, or null when it is not listed.
 */
export function listedPath(packages, { name, path }) {
  const here = `${path ? `${path}/` : ''}node_modules/${name}`
  if (packages[here]) return here
  if (!path) return null
  const above = path.lastIndexOf('/node_modules/')
  return listedPath(packages, { name, path: above < 0 ? '' : path.slice(0, above) })
}
