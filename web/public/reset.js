// Removes the copy of the page that this browser keeps: its service worker and its caches. Settings and tables stay.
const texts = {
    en: ['Removing the copy of the page on this device…', 'The copy of the page on this device was removed. Your tables and settings are still here.', 'It could not be removed:'],
    fr: ['Suppression de la copie de la page sur cet appareil…', 'La copie de la page sur cet appareil a été supprimée. Vos tables et vos réglages sont toujours là.', 'Elle n’a pas pu être supprimée :'],
    nl: ['De kopie van de pagina op dit apparaat wordt verwijderd…', 'De kopie van de pagina op dit apparaat is verwijderd. Je tafels en instellingen zijn er nog.', 'Ze kon niet worden verwijderd:'],
};
const language = navigator.languages.map((l) => l.slice(0, 2)).find((l) => l in texts) ?? 'en';
const [removing, removed, failed] = texts[language];
const said = document.getElementById('said');
const folder = new URL('./', location.href).href;

async function remove() {
    const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
    for (const worker of workers) if (worker.scope === folder) await worker.unregister();
    const names = 'caches' in self ? await caches.keys() : [];
    for (const name of names) if (name.startsWith(`fathom ${folder} `)) await caches.delete(name);
}

document.documentElement.lang = language;
said.textContent = removing;
remove().then(
    () => (said.textContent = removed),
    (e) => (said.textContent = `${failed} ${e}`),
);
