/**
 * Whether the packages of a lock file are installed for a purpose, by the list that npm keeps of the folder. `start` needs
 * no development packages.
 */
export function arePresent(wanted, present, purpose) {
  return packagesOf(wanted).every(([path, entry]) => {
    if (entry.dev === true && purpose === 'start') return true;
    // Packages for other platforms are left out.
    if (!present[path]) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return isSame(entry, present[path]);
  });
}

/** Whether an installation is a subset of the lock file, so that npm can add the missing packages. */
export function arePart(present, wanted) {
  return packagesOf(present).every(([path, entry]) => wanted[path] && isSame(entry, wanted[path]));
}

function packagesOf(packages) {
  return Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
}

function isSame(one, other) {
  return one.version === other.version && one.integrity === other.integrity;
}
