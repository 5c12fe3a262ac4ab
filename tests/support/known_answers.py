"""Invented texts with what their acronyms mean, to hold recipes to the answers of the defaults."""

CLINICAL = {
    "72 yo F with HTN, T2DM and CKD admitted with SOB.": {
        "HTN": "hypertension",
        "T2DM": "type 2 diabetes mellitus",
        "CKD": "chronic kidney disease",
        "SOB": "shortness of breath",
    },
    "PMH of COPD and CAD, s/p CABG. No h/o DVT or PE.": {
        "PMH": "past medical history",
        "COPD": "chronic obstructive pulmonary disease",
        "CAD": "coronary artery disease",
        "CABG": "coronary artery bypass graft",
        "DVT": "deep vein thrombosis",
        "PE": "pulmonary embolism",
    },
    "EKG shows AF with RVR; TTE with LVEF of 35%.": {
        "EKG": "electrocardiogram",
        "AF": "atrial fibrillation",
        "RVR": "rapid ventricular response",
        "LVEF": "left ventricular ejection fraction",
    },
    "Labs: WBC 12, BUN 30, INR 2.1. UA negative, CXR clear.": {
        "WBC": "white blood cell",
        "BUN": "blood urea nitrogen",
        "INR": "international normalized ratio",
        "UA": "urinalysis",
        "CXR": "chest x-ray",
    },
    "Started on IV fluids in the ICU, then NPO for the EGD of her GI bleed.": {
        "IV": "intravenous",
        "ICU": "intensive care unit",
        "EGD": "esophagogastroduodenoscopy",
        "GI": "gastrointestinal",
    },
    "BP 150/90, HR 88, RR 16. Follow up with her PCP about the GERD.": {
        "BP": "blood pressure",
        "HR": "heart rate",
        "RR": "respiratory rate",
        "PCP": "primary care provider",
        "GERD": "gastroesophageal reflux disease",
    },
}

GENERAL = {
    "The CEO told the board that the IPO depends on the SEC.": {
        "CEO": "chief executive officer",
        "IPO": "initial public offering",
        "SEC": "Securities and Exchange Commission",
    },
    "The API returns JSON over HTTP, and the CPU is idle.": {
        "API": "application programming interface",
        "HTTP": "Hypertext Transfer Protocol",
        "CPU": "central processing unit",
    },
    "The EPA and NOAA measured the VOC emissions near the airport.": {
        "EPA": "Environmental Protection Agency",
        "NOAA": "National Oceanic and Atmospheric Administration",
        "VOC": "volatile organic compound",
    },
    "She trained a CNN and an LSTM for NLP on one GPU.": {
        "CNN": "convolutional neural network",
        "LSTM": "long short-term memory",
        "NLP": "natural language processing",
        "GPU": "graphics processing unit",
    },
}
